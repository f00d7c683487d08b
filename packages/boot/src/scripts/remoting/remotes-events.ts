import { EventEmitter } from 'node:events'
import type { RemotePhase } from '@modelwire/core'
import { addGlobalHook, type HookPlace } from './remote-hooks.ts'

/** Names of events that are hooks: `before.Product.find`. */
const hookEvent = /^(before|after|afterError)\.(.+)$/

const phases: Readonly<Record<string, RemotePhase>> = { before: 'before', after: 'after', afterError: 'error' }

/** The emitter that `app.remotes()` is: listeners of `before.Product.find` and its kin are hooks. */
export function remotesEvents(place: HookPlace): EventEmitter {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const listen = emitter.on.bind(emitter)
  const on = (event: string, listener: (...args: unknown[]) => void): EventEmitter => {
    const [, kind = '', pattern = ''] = hookEvent.exec(event) ?? []
    const phase = phases[kind]
    if (phase === undefined) listen(event, listener)
    else addGlobalHook(place, phase, pattern, listener)
    return emitter
  }
  return Object.assign(emitter, { on, addListener: on })
}
