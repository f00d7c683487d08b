import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { createServer } from '#src/assemble/server/create-server.ts'
import { type Files, makeFolder, usualFiles } from '../../make-app.ts'

const script = `
  const loopback = require('loopback')
  const app = module.exports = loopback()
  app.told = [require('near').loopback() === loopback, require('far')() === loopback]
  require('loopback-boot')(app, __dirname, error => { if (error) throw error })`

/** Two applications, and packages that are installed for both: one by way of another, and one that is linked. */
const repository: Files = {
  ...Object.fromEntries(
    ['one', 'two'].flatMap((name) =>
      Object.entries({ ...usualFiles, 'server/server.js': script, 'package.json': {} }).map(
        ([file, content]) => [`${name}/${file}`, content] as const
      )
    )
  ),
  'node_modules/near/index.js': "exports.loopback = () => require('inner')()",
  'node_modules/inner/index.js': "const loopback = require('loopback'); module.exports = () => loopback",
  'shared/index.js': "const loopback = require('loopback'); module.exports = () => loopback"
}

void t.test('packages above the folder, and linked ones, belong to the application that starts', async (t) => {
  const root = await makeFolder(t, repository)
  await symlink(join(root, 'shared'), join(root, 'node_modules', 'far'))
  for (const name of ['one', 'two', 'one']) {
    const server = await createServer({ dir: join(root, name), logger: false })
    t.teardown(() => server.close())
    t.strictSame(server.loopback['told'], [true, true], name)
  }
})

void t.test('the first start keeps what is loaded already, the next one loads it anew', async (t) => {
  const dir = await makeFolder(t, {
    ...usualFiles,
    'server/count.js': 'exports.count = 0',
    'server/server.js': `
      const counter = require('./count')
      const app = module.exports = require('loopback')()
      app.count = ++counter.count
      require('loopback-boot')(app, __dirname, error => { if (error) throw error })`
  })
  const counter = createRequire(import.meta.url)(join(dir, 'server/count.js')) as { count: number }
  counter.count = 5
  const counts: unknown[] = []
  while (counts.length < 2) {
    const server = await createServer({ dir, logger: false })
    counts.push(server.loopback['count'])
    await server.close()
  }
  t.strictSame(counts, [6, 1])
})
