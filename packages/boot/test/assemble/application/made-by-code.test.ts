import type { Access } from '@modelwire/acl'
import t from 'tap'
import { bootApp, makeFolder, usualFiles } from '../../make-app.ts'
import { createOwnApplication } from '#src/assemble/server/own-server.ts'

/** An application that no folder says anything of. */
const bare = {
  ...Object.fromEntries(Object.keys(usualFiles).map((name) => [name, undefined])),
  'server/server.js': '',
  'package.json': '{}'
}

t.test('the built-in models have their functions before a folder is read', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `
      var loopback = require('loopback')
      var app = module.exports = loopback()
      var resolver = function(role, context, cb) { cb(null, true) }
      loopback.Role.registerResolver('anyone', resolver)
      app.set('found', [
        [loopback.ACL, 'checkPermission'], [loopback.ACL, 'checkAccessForContext'], [loopback.Role, 'isInRole'],
        [loopback.Role, 'getRoles'], [loopback.Role.prototype, 'users'], [loopback.AccessToken, 'findForRequest'],
        [loopback.AccessToken.prototype, 'validate']
      ].map(function(pair) { return typeof pair[0][pair[1]] }))
      require('loopback-boot')(app, __dirname)`,
    'server/config.json': { restApiRoot: '/api', aclErrorStatus: 403 }
  })
  t.strictSame(new Set(server.loopback.get('found') as string[]), new Set(['function']))
  const access: Access = server.access
  t.strictSame(access.resolvedRoles().includes('anyone'), true)
})

t.test('an application that code makes reads no file, and answers', async (t) => {
  const dir = await makeFolder(t, { ...bare, 'server/model-config.json': { Nope: { dataSource: 'none' } } })
  const application = createOwnApplication({ dir, logger: false })
  const { app } = application
  app.dataSource('db', { connector: 'memory' })
  app.model(app.registry.createModel('Note', { text: 'string' }), { dataSource: 'db' })
  app.use('/api', app.handler('rest'))
  const server = app.listen(0, '127.0.0.1')
  t.teardown(() => application.server.close())
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  const url = String(app.get('url'))
  t.equal(url, `http://localhost:${String(app.get('port'))}/`)
  t.strictSame(await (await fetch(`${url}api/Notes`)).json(), [])
})
