export { natsJetStream, natsJetStream as default } from './nats-stream.ts'
export { type NatsJetStreamSettings, NatsJetStreamSettingsSchema } from './settings.ts'
