import { Writable } from 'node:stream'
import t from 'tap'
import { bootApp } from '../../make-app.ts'

/** It reads for as long as it can; nobody waits for it. */
const script = `module.exports = (app) => {
  const read = async () => { for (;;) { await app.models.Thing.find(); await new Promise(setImmediate) } }
  read().catch((error) => globalThis.scriptEnded(error))
}`

const unreachable = `exports.initialize = (dataSource, callback) => {
  dataSource.connector = { name: 'own', connect: (callback) => setTimeout(callback, 20, new Error('no such server')) }
  dataSource.connector.connect(callback)
}`

void t.test(
  'the log has the cause of a failed start before scripts that wait for a data source get errors',
  async (t) => {
    const seen: string[] = []
    const stream = new Writable({
      write(line: Buffer, _encoding, done) {
        seen.push(String(line))
        done()
      }
    })
    const ended = new Promise<void>((resolve) => {
      Reflect.set(globalThis, 'scriptEnded', (error: Error) => {
        seen.push(`script: ${error.message}`)
        resolve()
      })
    })
    t.teardown(() => Reflect.deleteProperty(globalThis, 'scriptEnded'))
    const files = {
      'own.js': unreachable,
      'server/datasources.json': { db: { connector: 'memory' }, bad: { connector: '../own' } },
      'server/boot/a.js': script
    }
    await t.rejects(bootApp(t, files, { logger: { level: 'error', stream } }), /no such server/)
    await ended
    t.match(seen, [/"level":50.*no such server/, /^script: /])
  }
)
