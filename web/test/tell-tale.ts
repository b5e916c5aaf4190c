import { limits } from '@sumlock/contracts/limits'
import { pinLimits } from '@sumlock/contracts/pin-limits'
import { registrationLimits } from '@sumlock/contracts/registration-limits'

/** Allows the language's own `message` (of errors and events) and no other form of the word. */
const words =
  /chat|messenger|messag(?!e\b|eEvent\b)|(?<=[a-z] )message\b|\bmessage(?= [a-z])|conversation|inbox|sumlock/gi

/** The names of limits that reveal what the product counts. */
const limitNames = Object.keys(limits).filter((name) => !(name in pinLimits || name in registrationLimits))

/** Returns every word of a text that reveals what is behind the calculator. */
export function tellTales(text: string): string[] {
  const named = limitNames.filter((name) => text.includes(name))
  return [...new Set([...(text.match(words) ?? []), ...named])]
}
