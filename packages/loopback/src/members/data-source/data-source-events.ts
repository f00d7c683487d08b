import { EventEmitter } from 'node:events'
import type { DataSource } from '@modelwire/core/connector'
import { isFunction } from '../../callback-bridge.ts'

type Connection = DataSource['connection']

/** The members of a data source's connection for scripts. */
export interface ConnectionMembers {
  readonly connected: boolean
  readonly connecting: boolean
  readonly initialized: boolean
}

/** An emitter of `connected`, `disconnected` and `error`, as on data sources of LoopBack. */
export function connectionEvents(connection: Connection): EventEmitter {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  connection.listen(({ state, error }) => {
    if (state === 'open') emitter.emit('connected')
    if (state === 'closed') emitter.emit('disconnected')
    // An error without a listener stops the start, with its reason.
    if (state === 'failed' && emitter.listenerCount('error') > 0) emitter.emit('error', error)
  })
  return emitter
}

/** Whether a data source is currently connected. */
export function connectionMembers(connection: Connection): ConnectionMembers {
  return {
    get connected() {
      return connection.state === 'open'
    },
    get connecting() {
      return connection.state === 'opening'
    },
    get initialized() {
      return connection.state === 'open'
    }
  }
}

/** Events of the connection itself. */
const own: ReadonlySet<unknown> = new Set(['connected', 'disconnected', 'error'])

/** Methods of emitters whose first argument is the name of an event. */
const listening = ['on', 'once', 'off', 'emit', 'addListener', 'removeListener', 'removeAllListeners', 'listeners']

/** The members that a connector adds to its data source. Listeners of other events are kept here. */
export function connectorMembers(
  emitter: EventEmitter,
  members: Readonly<Record<string, unknown>> = {}
): Readonly<Record<string, unknown>> {
  const shared = listening
    .filter((name) => isFunction(members[name]))
    .map((name) => {
      const ours: unknown = Reflect.get(EventEmitter.prototype, name)
      const theirs = members[name]
      const value = (event: unknown, ...args: unknown[]): unknown => {
        const method = own.has(event) ? ours : theirs
        return isFunction(method) ? method.call(emitter, event, ...args) : undefined
      }
      return [name, value] as const
    })
  return { ...members, ...Object.fromEntries(shared) }
}
