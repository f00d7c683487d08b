export { natsJetStream, natsJetStream as default } from './nats-jet-stream.ts'
export { type NatsJetStreamSettings, NatsJetStreamSettingsSchema } from './settings.ts'
