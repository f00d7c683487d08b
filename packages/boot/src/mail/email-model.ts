import { type ModelDefinition, type ModelRegistry, NotImplemented } from '@modelwire/core'
import { addSending } from './add-sending.ts'

/**
 * The built-in model of messages. It sends once it is attached to a data source of the connector `mail`.
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
  throw new NotImplemented('Email sends nothing: give it a data source of the connector mail')
}

/** Defines the built-in model: until it is attached, sending fails with the missing setting. */
export function defineEmail(registry: ModelRegistry): void {
  registry.define(emailModel)
  addSending(registry.typeOf(emailModel.name).modelClass, { send: refuseToSend })
}
