import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type AccessRule, defineModel, modelwire } from '@modelwire/core'
import { explorer } from '@modelwire/explorer'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t, { type Test } from 'tap'

const run = promisify(execFile)

/** The releases that the page is tried with. They are hundreds of packages: nothing else needs them. */
const packages = [
  '@hey-api/openapi-ts@0.95.0',
  'axios@1.12.2',
  'esbuild@0.25.12',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'orval@7.13.2',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3'
]

const role = (principalId: string) => ({ principalType: 'ROLE', principalId }) as const
const forMembers = (relation: string): AccessRule[] => [
  { ...role('$everyone'), permission: 'DENY' },
  { ...role('$authenticated'), permission: 'ALLOW', property: ['create', 'find', 'findById', `__get__${relation}`] }
]

/** The API of the page, at a free port. */
async function listen(t: Test): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() } })
  await app.register(acl)
  await app.register(users)
  const id = Type.Optional(Type.Integer({ id: true, generated: true }))
  app.models.define(defineModel('Account', Type.Object({}), { base: 'User', public: true }))
  app.models.define(
    defineModel(
      'Court',
      Type.Object({
        id,
        name: Type.String(),
        price: Type.Number(),
        surfaces: Type.Array(Type.String()),
        closedAt: Type.Optional(Type.Date())
      }),
      {
        public: true,
        acls: forMembers('bookings'),
        relations: { bookings: { type: 'hasMany', model: 'Booking' } }
      }
    )
  )
  app.models.define(
    defineModel('Booking', Type.Object({ id, startsAt: Type.Date(), courtId: Type.Integer() }), {
      public: true,
      acls: forMembers('court'),
      relations: { court: { type: 'belongsTo', model: 'Court' } }
    })
  )
  for (const name of ['Account', 'Court', 'Booking']) app.models.attach(name, 'db')
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // it listens at a port
  return `http://127.0.0.1:${port}`
}

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'preserve',
  moduleResolution: 'bundler',
  skipLibCheck: true,
  noEmit: true,
  types: [],
  lib: ['es2022', 'dom', 'dom.iterable']
}

/** A block of a section in this language. */
const block = (section: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? ''

t.test('what the page says of each generator is true', { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-generators-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, ...packages])
  const page = await readFile(new URL('../../../docs/generated-clients.md', import.meta.url), 'utf8')
  const sections = page.split(/^## /m).filter((section) => block(section, 'ts') !== '')
  t.equal(sections.length, 4)
  for (const section of sections) {
    const [name = ''] = section.split('\n')
    await t.test(name, async (t) => {
      const dir = join(folder, String(sections.indexOf(section)))
      const address = await listen(t)
      const here = (text: string): string => text.replaceAll('http://localhost:3000', address)
      const bin = async (command: string): Promise<string> => {
        const { stdout } = await run('sh', ['-c', command], {
          cwd: dir,
          env: { ...process.env, PATH: `${folder}/node_modules/.bin:${process.env['PATH']}` }
        })
        return stdout
      }
      await mkdir(dir)
      await writeFile(join(dir, 'package.json'), '{"type":"module"}')
      await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      await writeFile(join(dir, 'client.ts'), here(block(section, 'ts')))
      const [command = ''] = /^npx .*$/m.exec(block(section, 'sh')) ?? []
      await bin(here(command.replace('npx ', '')))
      await bin('tsc -p .')
      await bin('esbuild client.ts --bundle --platform=node --format=esm --packages=external --outfile=client.mjs')
      const printed = Array.from(section.matchAll(/console\.log.* \/\/ (.*)$/gm), ([, text]) => text)
      t.strictSame((await bin('node client.mjs')).trimEnd().split('\n'), printed)
    })
  }
})
