import { processTests } from '#src/process-tests.ts'

processTests({
  name: 'NATS JetStream',
  program: 'nats-server',
  settingsFor: (port) => ({ type: 'nats', url: `nats://127.0.0.1:${port}` })
})
