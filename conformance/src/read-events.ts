/** One server-sent event as recordings hold it. */
export type RecordedEvent = Readonly<Record<string, unknown>>

/** Milliseconds that an event may take, once all that causes events has been answered. */
const silence = 2000

/** Events that are read beside other requests. */
export interface ReadingEvents {
  /** Those that came: fewer than were asked for when no more come in time. */
  readonly finish: () => Promise<readonly RecordedEvent[]>
}

function parseEvent(block: string): RecordedEvent | undefined {
  const fields = block
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const { data, ...others } = Object.fromEntries(fields.filter(([name]) => name !== '')) as Record<string, string> // texts
  return data === undefined ? undefined : { ...others, data: JSON.parse(data) as unknown }
}

/** Reads `count` events of an answer, then leaves. */
export function readEvents(answer: Response, count: number): ReadingEvents {
  const reader = answer.body?.getReader()
  if (reader === undefined) return { finish: async () => [] }
  const events: RecordedEvent[] = []
  let late: NodeJS.Timeout | undefined
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const bytes: unknown = part.value
      if (!(bytes instanceof Uint8Array)) break
      const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      events.push(...blocks.map(parseEvent).filter((event) => event !== undefined))
      if (events.length >= count) break
      late?.refresh()
    }
  }
  const reading = read()
  const finish = async (): Promise<readonly RecordedEvent[]> => {
    late = setTimeout(() => void reader.cancel(), silence)
    await reading
    clearTimeout(late)
    await reader.cancel()
    return events.slice(0, count)
  }
  return { finish }
}
