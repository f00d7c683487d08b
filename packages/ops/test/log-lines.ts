import { Writable } from 'node:stream'

/** What a server logs, line by line. */
export interface LogLines {
  /** For the option `logger` of Fastify. */
  readonly stream: Writable
  readonly lines: readonly string[]
}

/** Collects what a server logs. */
export function collectLines(): LogLines {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString().trim().split('\n'))
      done()
    }
  })
  return { stream, lines }
}
