import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { Model } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import { acceptCallback, type ScriptFunction } from '../callback-bridge.ts'
import type { NodemailerModule } from './load-nodemailer.ts'

/** What sends the messages of a model. */
export interface Sender {
  /** The module `nodemailer`; absent where nothing is sent. */
  readonly mailer?: NodemailerModule
  readonly send: (message: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/** Gives a model and its records `send`, in place of one that a script defined before the model was attached, as LoopBack does. */
export function addSending(model: typeof Model, sender: Sender): void {
  const send = acceptCallback((message) => kept(sendChecked(sender, message, model.modelName)))
  const sendThis: ScriptFunction = function (this: unknown, ...args) {
    return send.call(model, this, ...args)
  }
  define(model, { send, mailer: sender.mailer })
  define(model.prototype, { send: sendThis, mailer: sender.mailer })
}

function define(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

async function sendChecked(sender: Sender, message: unknown, model: string): Promise<unknown> {
  return sender.send(toMessage(message, model))
}

/** A message as nodemailer takes it. @throws {ScriptArgumentInvalid} it is not an object */
function toMessage(value: unknown, model: string): Readonly<Record<string, unknown>> {
  if (value instanceof Model) return value.toObject()
  if (isPlainObject(value)) return value
  throw new ScriptArgumentInvalid('a message must be an object', { model })
}

/**
 * A failure that no script waits for must not end the process. It is logged, and also rejects for callers that wait.
 */
function kept(sending: Promise<unknown>): Promise<unknown> {
  void Promise.allSettled([sending])
  return sending
}
