import { randomBytes } from 'node:crypto'
import { ChangeEvent } from '@modelwire/core'
import type { ChangeStream } from '@modelwire/core/plugin'
import { writeAnyJson } from '../../output/write-any-json.ts'

/** How a stream of objects is written. Every function returns what to send. */
export interface StreamFormat {
  readonly headers: Readonly<Record<string, string>>
  readonly open: () => string
  readonly chunk: (chunk: unknown) => string | Buffer
  readonly error: (facts: object) => string
  readonly end: () => string
  /** Keeps proxies from closing an idle connection, and readers of few events near the end of a log. */
  readonly heartbeat: () => string
}

const idLine = (position: string | undefined): string => (position === undefined ? '' : `id: ${position}\n\n`)

// Readers who see the same of an event get the same object.
const bytesOfEvents = new WeakMap<ChangeEvent, Buffer>()

/** The bytes of an event, made once for all readers who see the same of it. */
function bytesOf(changes: ChangeStream, event: ChangeEvent): Buffer {
  const bytes = bytesOfEvents.get(event) ?? Buffer.from(writeEvent(changes, event))
  bytesOfEvents.set(event, bytes)
  return bytes
}

/**
 * An event of a log has its id within, so that a client whose connection breaks has both or neither. LB3: there is no id, so that of
 * other events follows.
 */
function writeEvent({ feed }: ChangeStream, event: ChangeEvent): string {
  const position = feed.positionOf(event)
  return feed.log === undefined || position === undefined
    ? `event: data\ndata: ${event.toText()}\n\n${idLine(position)}`
    : `event: data\nid: ${position}\ndata: ${event.toText()}\n\n`
}

/**
 * Server-sent events as LoopBack 3 writes them. The id of an event follows in a separate block, which changes the last
 * event id of a client, but is not an event.
 * @see HTML, section 9.2.6 (interpreting an event stream)
 */
export function eventStreamFormat(changes: ChangeStream | undefined): StreamFormat {
  const isCut = changes?.missedSome === true
  return {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no'
    },
    open: () => `:ok\n\n${isCut ? 'event: reset\ndata: null\n\n' : ''}${idLine(changes?.start)}`,
    chunk: (chunk) =>
      changes !== undefined && chunk instanceof ChangeEvent
        ? bytesOf(changes, chunk)
        : `event: data\ndata: ${writeAnyJson(chunk)}\n\n`,
    error: (facts) => `event: error\ndata: ${writeAnyJson(facts)}\n\n`,
    end: () => 'event: end\ndata: null\n\n',
    heartbeat: () => `:\n\n${idLine(changes?.readTo)}`
  }
}

/**
 * Lines of JSON, for clients that do not accept server-sent events: each names the stream, the event and the object.
 * @see LoopBack 3: strong-remoting, lib/http-context.js, and the format of the package mux-demux, read by hand
 */
export function lineFormat(): StreamFormat {
  const id = randomBytes(12).toString('hex')
  const line = (...parts: unknown[]): string => `${writeAnyJson([id, ...parts])}\n`
  return {
    headers: { 'content-type': 'application/json; boundary=NL', 'cache-control': 'no-cache, no-transform' },
    open: () => line('new', { opts: { writable: false, readable: true } }),
    chunk: (chunk) => line('data', chunk),
    error: (facts) => line('error', facts),
    end: () => line('end'),
    heartbeat: () => '\n'
  }
}
