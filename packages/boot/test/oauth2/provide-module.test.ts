import { createRequire } from 'node:module'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { provideModule } from '#src/oauth2/provide-module.ts'
import { makeFolder } from '../make-app.ts'

t.test(
  'scripts of a folder get our module, those beside it do not, and nobody does once the server is closed',
  async (t) => {
    const root = await makeFolder(t, { 'server/a.js': '' })
    const server = Fastify()
    const ours = { isOurs: true }
    provideModule(server, root, ours)
    t.equal(createRequire(join(root, 'server/a.js'))('loopback-component-oauth2'), ours)
    t.throws(() => createRequire(`${root}-beside/a.js`)('loopback-component-oauth2'), { code: 'MODULE_NOT_FOUND' })
    await server.close()
    t.throws(() => createRequire(join(root, 'server/a.js'))('loopback-component-oauth2'), { code: 'MODULE_NOT_FOUND' })
  }
)
