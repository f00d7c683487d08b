import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { storage } from '#src/index.ts'
import { textFile, uploadOf } from './form.ts'
import { containerModel, temporaryFolder } from './serve-files.ts'

const everyone = { principalType: 'ROLE', principalId: '$everyone' } as const

/** A server that lets nobody call anything but what `rules` allow. */
async function serveGuarded(t: Test, ...rules: readonly object[]) {
  const root = await temporaryFolder(t)
  await mkdir(join(root, 'one'))
  await writeFile(join(root, 'one', 'a.txt'), 'hello')
  const app = Fastify({ requestTimeout: 30_000 })
  t.teardown(() => app.close())
  const allowed = rules.map((rule) => ({ ...everyone, permission: 'ALLOW' as const, ...rule }))
  const acls = [{ ...everyone, permission: 'DENY' as const }, ...allowed]
  await app.register(modelwire, {
    dataSources: { files: storage({ root }), db: memory() },
    models: [{ ...containerModel, dataSource: 'files', acls }],
    shutdownTime: 0
  })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string) =>
    (await app.inject({ method, url: `/api/containers${path}` })).statusCode
  const upload = async () =>
    (await app.inject(uploadOf('/api/containers/one/upload', textFile('new', 'b.txt')))).statusCode
  return { root, ask, upload }
}

t.test('what is denied changes nothing on the disk', async (t) => {
  const { root, ask, upload } = await serveGuarded(t)
  t.equal(await upload(), 401)
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/one'],
    ['DELETE', '/one'],
    ['GET', '/one/files'],
    ['GET', '/one/files/a.txt'],
    ['DELETE', '/one/files/a.txt'],
    ['GET', '/one/download/a.txt'],
    ['GET', '/one/download/none']
  ] as const)
    t.equal(await ask(method, path), 401, `${method} ${path}`)
  t.strictSame(await readdir(root), ['one'])
  t.strictSame(await readdir(join(root, 'one')), ['a.txt'])
})

t.test('rules name the methods as LoopBack does', async (t) => {
  const { ask, upload } = await serveGuarded(t, { property: 'download' }, { property: ['upload'] })
  t.equal(await ask('GET', '/one/download/a.txt'), 200)
  t.equal(await upload(), 200)
  t.equal(await ask('GET', '/one/files'), 401)
})

t.test('types of access are those of LoopBack', async (t) => {
  const { ask, upload } = await serveGuarded(t, { accessType: 'READ' })
  for (const path of ['', '/one', '/one/files', '/one/files/a.txt', '/one/download/a.txt'])
    t.equal(await ask('GET', path), 200, path)
  t.equal(await upload(), 401)
  t.equal(await ask('DELETE', '/one/files/a.txt'), 401)
  const executing = await serveGuarded(t, { accessType: 'EXECUTE' })
  t.equal(await executing.upload(), 200)
  t.equal(await executing.ask('DELETE', '/one'), 200)
})
