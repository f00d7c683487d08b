import { natsJetStream } from '@modelwire/changes/nats'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { whyNoServerAt } from '#src/servers.ts'
import { transportCases } from '#src/transport-cases.ts'

transportCases({
  name: 'NATS JetStream',
  skip: await whyNoServerAt('NATS', 4222),
  make: (name, settings) => natsJetStream({ name, ...settings }),
  async clean(name) {
    const connection = await connect()
    const { streams } = await jetstreamManager(connection)
    const found = await streams.names().next()
    const own = found.filter((each) => each === `${name}-db` || each === `KV_${name}-db-lease`)
    await Promise.all(own.map(async (each) => streams.delete(each)))
    await connection.close()
  }
})
