import { useEffect, useRef } from 'react'

/** Describes the part of a contract's schema that a form needs. */
export interface FieldRule {
  safeParse: (value: unknown) => { error?: { issues: readonly { message: string }[] } | undefined }
}

/** Returns the contract's objection to a value; undefined if the value is accepted. */
export const faultOf = (rule: FieldRule, value: string): string | undefined =>
  rule.safeParse(value).error?.issues[0]?.message

/**
 * Loads the contract's rules of a form when the form is shown; the schemas are in a chunk of their own. `get` rejects
 * with a sentence while the rules cannot be loaded.
 */
export function useRules<Rules>(load: () => Promise<Rules>, isHidden: boolean) {
  const loaded = useRef<Rules>(undefined)
  const loader = useRef(load)
  const get = async (): Promise<Rules> => {
    try {
      loaded.current ??= await loader.current()
    } catch {
      // A failed load is not kept, so the next call loads the rules again.
      throw Object.assign(new Error('The rules of the form could not be loaded'), {
        sentence: 'No connection. Please try again.',
      })
    }
    return loaded.current
  }
  useEffect(() => {
    if (isHidden) return
    loader.current().then(
      (rules) => {
        loaded.current = rules
      },
      () => undefined,
    )
  }, [isHidden])
  return { loaded, get }
}

export const loadAccountFields = () => import('@sumlock/contracts/account-fields')
export type AccountFields = Awaited<ReturnType<typeof loadAccountFields>>
