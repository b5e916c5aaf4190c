import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { useAppDispatch } from '../../api/store.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { addToList, useGetConversationQuery } from './pages-api.ts'

const retryMs = 3000
const notFoundStatuses: readonly (number | undefined)[] = [400, 404]

/**
 * Fetches a conversation that is on no loaded page of the list. The chat opens once the conversation is in the list.
 */
export function MissingConversation({ id }: { id: string }) {
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const [pollingInterval, setPollingInterval] = useState(retryMs)
  const { currentData, error, isFetching } = useGetConversationQuery(id, {
    refetchOnMountOrArgChange: true,
    pollingInterval,
  })
  // Any other failure does not show whether the conversation exists, so the fetch is repeated.
  const isNotFound = notFoundStatuses.includes(asApiError(error)?.status)
  useEffect(() => {
    if (isNotFound) setPollingInterval(0)
  }, [isNotFound])
  useEffect(() => {
    if (currentData && !isFetching) void dispatch(addToList([currentData]))
  }, [currentData, isFetching, dispatch])

  if (!isNotFound)
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading..." />
      </div>
    )
  return (
    <div className="flex h-full flex-col items-center justify-center p-4 text-center">
      <ScreenTitle className="text-xl font-semibold">Conversation not found</ScreenTitle>
      <Button className="mt-4" onClick={() => void navigate('/messaging')}>
        Back to Messages
      </Button>
    </div>
  )
}
