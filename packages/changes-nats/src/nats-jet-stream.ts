import type { ChangeTransport } from '@modelwire/changes'
import { NatsStream } from './nats-stream.ts'
import { type NatsJetStreamSettings, readSettings } from './settings.ts'

/**
 * Carries changes by a stream of NATS JetStream per data source.
 * @throws {InvalidOption} a setting is malformed
 */
export function natsJetStream(settings: NatsJetStreamSettings = {}): ChangeTransport {
  const filled = readSettings(settings)
  return { name: 'NATS JetStream', open: (dataSource) => new NatsStream(filled, dataSource) }
}
