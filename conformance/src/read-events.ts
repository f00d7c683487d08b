/** One server-sent event as recordings hold it. */
export type RecordedEvent = Readonly<Record<string, unknown>>

const longest = 10_000

function parseEvent(block: string): RecordedEvent | undefined {
  const fields = block
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const { data, ...others } = Object.fromEntries(fields.filter(([name]) => name !== '')) as Record<string, string> // texts
  return data === undefined ? undefined : { ...others, data: JSON.parse(data) as unknown }
}

/** Reads `count` events of an answer, then leaves; gives fewer when no more come in time. */
export async function readEvents(answer: Response, count: number): Promise<readonly RecordedEvent[]> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return []
  const late = setTimeout(() => void reader.cancel(), longest)
  const decoder = new TextDecoder()
  const events: RecordedEvent[] = []
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const bytes: unknown = part.value
    if (!(bytes instanceof Uint8Array)) break
    const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    events.push(...blocks.map(parseEvent).filter((event) => event !== undefined))
    if (events.length >= count) break
  }
  clearTimeout(late)
  await reader.cancel()
  return events.slice(0, count)
}
