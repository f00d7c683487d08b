import { request } from 'node:http'
import { takeTime } from '@modelwire/test-waits'

/** Reads the events of a model's changes for as long as it lives, from whichever process there is. */
export class EventReader {
  readonly #path: string
  readonly #address: () => string
  readonly #take: (event: Record<string, unknown>) => void
  #lastId: string | undefined
  #isOver = false
  #close: (() => void) | undefined
  /** Blocks that say that some were missed. */
  resets = 0
  connections = 0

  /** @param address of a process, another one after each that ended */
  constructor(path: string, address: () => string, take: (event: Record<string, unknown>) => void) {
    this.#path = path
    this.#address = address
    this.#take = take
  }

  /** Resolves when the first stream is open. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#open(resolve))
  }

  stop(): void {
    this.#isOver = true
    this.#close?.()
  }

  #open(opened: () => void = () => {}): void {
    if (this.#isOver) return
    const headers = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }
    let isEnded = false
    const again = (): void => {
      if (isEnded) return
      isEnded = true
      void this.#openLater(opened)
    }
    const asking = request(`${this.#address()}${this.#path}`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        response.resume().on('close', again)
        return
      }
      this.connections++
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        const blocks = (text + part).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#read(block)
        if (this.#lastId !== undefined) opened()
      })
      response.on('close', again).on('error', again)
    })
    asking.on('error', again).end()
    this.#close = () => asking.destroy()
  }

  async #openLater(opened: () => void): Promise<void> {
    await takeTime(20, 'a client does not come back at once')
    this.#open(opened)
  }

  #read(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    )
    if (fields.get('event') === 'reset') this.resets++
    this.#lastId = fields.get('id') ?? this.#lastId
    // Events are objects.
    if (fields.get('event') === 'data') this.#take(JSON.parse(fields.get('data') ?? '') as Record<string, unknown>)
  }
}
