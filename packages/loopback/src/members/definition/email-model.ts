import { Model, type ModelDefinition, type ModelRegistry, NotImplemented } from '@modelwire/core'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { acceptCallback } from '../../callback-bridge.ts'
import { installMembers } from '../../script-members.ts'
import { isPlainObject } from '@modelwire/server'

/** Sends the messages of a model. */
interface Sender {
  /** The module `nodemailer`; absent if nothing is sent. */
  readonly mailer?: unknown
  readonly send: (message: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/**
 * The built-in model for messages. It can send once it is attached to a data source with the connector `mail`.
 * @see LoopBack 3: loopback, common/models/email.json
 */
export const emailModel: ModelDefinition = {
  name: 'Email',
  base: 'Model',
  public: false,
  dataSource: null,
  properties: {
    to: { type: 'string', required: true },
    from: { type: 'string', required: true },
    subject: { type: 'string', required: true },
    text: { type: 'string' },
    html: { type: 'string' }
  }
}

async function refuseToSend(): Promise<never> {
  throw new NotImplemented('Email cannot send: attach it to a data source with the connector mail')
}

/** Defines the built-in model: until it is attached, sending fails with an error that names the missing setting. */
export function defineEmail(registry: ModelRegistry): void {
  registry.define(emailModel)
  addSending(registry.typeOf(emailModel.name).modelClass, { send: refuseToSend })
}

/**
 * Adds `send` to a model and its records, replacing one that a script defined before the model was attached, as LoopBack
 * does.
 */
export function addSending(model: typeof Model, sender: Sender): void {
  const send = acceptCallback((message) => kept(sendChecked(sender, message, model.modelName)))
  const mailer = ['mailer', 'value', sender.mailer] as const
  installMembers(model, [['send', 'value', send], mailer])
  installMembers<Model>(model.prototype, [
    ['send', 'method', (record, ...args: unknown[]) => send.call(model, record, ...args)],
    mailer
  ])
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
