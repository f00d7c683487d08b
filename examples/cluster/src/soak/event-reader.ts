import { type ClientRequest, request } from 'node:http'

/** One event of a change stream. */
export interface ChangeEvent {
  readonly type: string
  readonly target: unknown
  readonly data?: Readonly<Record<string, unknown>>
}

/** What an event reader reads. */
export interface EventSource {
  /** Address of the stream. */
  readonly url: string
  readonly token: string
}

/** Milliseconds before a stream that ended is opened again. */
const again = 200

/** Follows a change stream through all that breaks it, as EventSource of browsers does. */
export class EventReader {
  readonly #source: EventSource
  readonly #take: (event: ChangeEvent) => void
  #lastId: string | undefined
  #asking: ClientRequest | undefined
  #isOver = false
  connections = 0
  /** Times that it was told that it missed some. */
  resets = 0

  constructor(source: EventSource, take: (event: ChangeEvent) => void) {
    this.#source = source
    this.#take = take
  }

  start(): void {
    if (this.#isOver) return
    const { url, token } = this.#source
    const headers = { authorization: token, ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }) }
    let isEnded = false
    const end = (): void => {
      if (isEnded) return
      isEnded = true
      setTimeout(() => this.start(), again)
    }
    // Heartbeats come every 25 s: what is silent for longer is broken.
    const options = { headers, agent: false, timeout: 60_000 } as const
    this.#asking = request(url, options, (response) => {
      if (response.statusCode === 200) this.connections++
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        const blocks = (text + part).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#read(block)
      })
      response.on('close', end).on('error', end)
    })
    this.#asking
      .on('timeout', () => this.#asking?.destroy())
      .on('error', end)
      .end()
  }

  /** True once a place in the stream is known: from there on nothing is missed. */
  get isPlaced(): boolean {
    return this.#lastId !== undefined
  }

  stop(): void {
    this.#isOver = true
    this.#asking?.destroy()
  }

  #read(block: string): void {
    const lines = block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    })
    const fields = new Map(lines)
    if (fields.get('event') === 'reset') this.resets++
    this.#lastId = fields.get('id') ?? this.#lastId
    // Data of a change stream are events.
    if (fields.get('event') === 'data') this.#take(JSON.parse(fields.get('data') ?? '{}') as ChangeEvent)
  }
}
