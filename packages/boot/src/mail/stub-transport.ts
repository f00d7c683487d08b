import type { Transport } from 'nodemailer'
import type { MailLog } from './mail-log.ts'

/** What sending by a stub comes to. */
interface StubResult {
  readonly envelope: unknown
  readonly messageId: string
  readonly response: Buffer
}

type Send = Transport<StubResult>['send']

/**
 * A transport that sends nothing: it logs, and calls back with the finished message as `response`.
 * @see nodemailer-stub-transport, which LoopBack 3 brings
 */
export function stubTransport(log: MailLog): Transport<StubResult> {
  const send: Send = ({ message }, callback) => {
    const [envelope, messageId] = [message.getEnvelope(), message.messageId()]
    message.build((error, response) => {
      if (error) return callback(error)
      log.info({ envelope, messageId, message: String(response) }, 'a message was not sent: its transport is a stub')
      return callback(null, { envelope, messageId, response })
    })
  }
  return { name: 'stub', version: '1', send }
}
