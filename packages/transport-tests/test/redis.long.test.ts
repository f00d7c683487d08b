import { processTests } from '#src/process-tests.ts'

processTests({
  name: 'Redis Streams',
  program: 'redis-server',
  settingsFor: (port) => ({ type: 'redis', url: `redis://127.0.0.1:${port}` })
})
