import { containerFiles, nodeOverrides } from './json-files.ts'
import { isMemory, type NewDatabase, packageOf } from './databases.ts'
import { json, type NewProject, type ProjectFiles, ranges, usage, databaseUse } from './new-project.ts'

const dependencies = [
  '@modelwire/acl',
  '@modelwire/connector-memory',
  '@modelwire/core',
  '@modelwire/explorer',
  '@modelwire/ops',
  '@modelwire/relations',
  '@modelwire/rest',
  '@modelwire/users',
  '@sinclair/typebox',
  'fastify'
]
const devDependencies = ['@types/node', 'modelwire', 'typescript']

const models = ({ makesTexts }: NewDatabase): string => `import { defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

/** People who sign up and log in: email, password and methods such as login are those of the base. */
const Account = defineModel('Account', Type.Object({ name: Type.Optional(Type.String({ maxLength: 80 })) }), {
  base: 'User',
  public: true
})

const Note = defineModel(
  'Note',
  Type.Object({${makesTexts ? '\n    id: Type.String({ id: true, generated: true }),' : ''}
    text: Type.String({ minLength: 1, maxLength: 500 }),
    done: Type.Boolean({ default: false, index: true }),
    created: Type.Date({ defaultFn: 'now', readOnly: true }),
    // The owner: the account that creates the note.
    accountId: Type.Optional(Type.${makesTexts ? 'String' : 'Integer'}({ fromCaller: 'userId', index: true }))
  }),
  {
    public: true,
    relations: { account: { type: 'belongsTo', model: 'Account', onDelete: 'cascade' } },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: '$owner' }
    ]
  }
)

/** Everything that is stored. A model that is not public has no routes. */
export const models = { Account, Note }

declare module '@modelwire/core' {
  /** Makes app.models.Note known to TypeScript. */
  interface Models extends ModelsOf<typeof models> {}
}
`

const imports = (database: NewDatabase): string => `import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
${importOf(database)}import { defineInstanceOperation, modelwire } from '@modelwire/core'
import { explorer } from '@modelwire/explorer'
import { ops } from '@modelwire/ops'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { models } from './models.ts'
`

const plugins = `  // /live and /ready, for what watches the server.
  await app.register(ops)
  // 403: a known caller who may not; browsers take a 401 for a login that ended. A rule that names a role of your own
  // needs stores: ['roles'], or registerRole.
  await app.register(acl, { errorStatus: 403, stores: [] })
  await app.register(users)
  await app.register(relations)

  // POST /api/Notes/:id/finish
  defineInstanceOperation(app.models.Note, {
    name: 'finish',
    description: 'Mark a note as done',
    returns: Type.Object({ done: Type.Boolean() }),
    handler: async (note) => {
      await note.patchAttributes({ done: true })
      return { done: true }
    }
  })

  // Lists come in pages, and what a request names but nobody knows is refused.
  await app.register(rest, {
    prefix: '/api',
    createdStatus: 201,
    lists: { limit: 100, maxLimit: 1000 },
    handling: 'strict'
  })
  await app.register(explorer)
  await app.ready()
  return app
}
`

const server = (database: NewDatabase): string => `${imports(database)}
/** The server, ready to listen or to be asked by inject. */
export async function buildServer(options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  // A client that sends its request more slowly than this, in milliseconds, is cut off.
  const app = Fastify({ requestTimeout: 120_000, ...options })
  ${storeOf(database)}
    models: {
      // Account extends it: it has no records, and no table.
      ${userOf(database)},
      // What a token belongs to: an account.
      AccessToken: {
        ...accessTokenModel,
        relations: { user: { type: 'belongsTo', model: 'Account', foreignKey: 'userId' } }
      },
      ...models
    }
  })
${plugins}`

const importOf = (database: NewDatabase): string =>
  isMemory(database) ? '' : `import { ${database.name} } from '${packageOf(database)}'\n`

/** Ids have one type in the database, and in memory where tests run. */
const userOf = ({ title, makesTexts }: NewDatabase): string =>
  makesTexts
    ? `// ${title} makes ids that are strings; so does memory for these.
      User: { ...user, dataSource: null, properties: { ...properties, id: { type: 'string', id: true, generated: true } } }`
    : 'User: { ...userModel(), dataSource: null }'

/** Tests, and a first try, need no database. */
function storeOf(database: NewDatabase): string {
  if (isMemory(database))
    return `// Records end with the process: memory({ file: 'records.json' }) keeps them, other connectors store them in a database.
  await app.register(modelwire, {
    dataSources: { db: memory() },`
  const { name, title, setting, makesTexts, settings } = database
  const user = makesTexts ? 'const { properties, ...user } = userModel()\n  ' : ''
  const more = Object.entries(settings).map(
    ([key, value]) => `, ${key}: ${typeof value === 'string' ? `'${value}'` : value}`
  )
  return `${user}// DATABASE_URL says where ${title} is: without it records are in memory, and end with the process.
  const ${setting} = process.env['DATABASE_URL']
  await app.register(modelwire, {
    dataSources: { db: ${setting} === undefined ? memory() : ${name}({ ${setting}${more.join('')} }) },`
}

const main = `import { buildServer } from './server.ts'

const port = Number(process.env['PORT'] ?? 3000)
const host = process.env['HOST'] ?? '127.0.0.1'
const app = await buildServer({ logger: true })

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => void app.close())
}

await app.listen({ port, host })
`

const test = `import assert from 'node:assert/strict'
import test from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '../src/server.ts'

/** Signs up, logs in, and gives the headers of a request. */
async function logIn(app: FastifyInstance, email: string): Promise<{ authorization: string }> {
  const payload = { email, password: 'correct horse battery' }
  await app.inject({ method: 'POST', url: '/api/Accounts', payload })
  const answer = await app.inject({ method: 'POST', url: '/api/Accounts/login', payload })
  assert.equal(answer.statusCode, 200)
  return { authorization: \`Bearer \${answer.json<{ id: string }>().id}\` }
}

test('a note is stored, found and finished by its owner', async () => {
  const app = await buildServer()
  const headers = await logIn(app, 'ann@example.org')
  const created = await app.inject({ method: 'POST', url: '/api/Notes', headers, payload: { text: 'Buy milk' } })
  assert.equal(created.statusCode, 201)
  const { id } = created.json<{ id: number }>()

  const finished = await app.inject({ method: 'POST', url: \`/api/Notes/\${id}/finish\`, headers })
  assert.deepEqual(finished.json(), { done: true })

  const found = await app.inject({ url: '/api/Notes?filter[where][done]=true', headers })
  assert.deepEqual(found.json<{ text: string }[]>().map(({ text }) => text), ['Buy milk'])

  const others = await app.inject({ url: \`/api/Notes/\${id}\`, headers: await logIn(app, 'bob@example.org') })
  assert.equal(others.statusCode, 403)
  await app.close()
})

test('a note without a text is refused, and so is a caller without a login', async () => {
  const app = await buildServer()
  const headers = await logIn(app, 'ann@example.org')
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', headers, payload: { text: '' } })
  assert.equal(answer.statusCode, 422)
  assert.equal((await app.inject('/api/Notes')).statusCode, 401)
  await app.close()
})
`

const readme = (project: NewProject): string => `# ${project.name}

A REST API made with Modelwire: models in TypeScript, served by Fastify.

\`\`\`sh
npm install
npm start      # http://localhost:3000/explorer shows the API; PORT and HOST say where it listens
npm test
npx modelwire routes .   # after npm run build, as openapi, types, migrate and discover
\`\`\`
${databaseUse(project)}
${usage}
| file                 | holds                                                       |
| -------------------- | ----------------------------------------------------------- |
| \`src/models.ts\`      | the models: properties, rules, what is public, who may call |
| \`src/server.ts\`      | the server: where records are stored, operations of its own |
| \`src/main.ts\`        | listens                                                     |
| \`test/notes.test.ts\` | asks the server without a port                              |
| \`Dockerfile\`         | a container of the project                                  |
`

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    sourceMap: true,
    rootDir: '.',
    outDir: 'dist'
  },
  include: ['src', 'test']
}

/** The files of a project whose models are declared in TypeScript. */
export function typeboxFiles(project: NewProject): ProjectFiles {
  const { database } = project
  const connector = isMemory(database) ? [] : [packageOf(database)]
  return {
    'package.json': json({
      name: project.name,
      version: '0.1.0',
      private: true,
      type: 'module',
      engines: { node: '>=20.19' },
      scripts: {
        build: 'tsc',
        start: 'tsc && node --enable-source-maps dist/src/main.js',
        test: 'tsc && node --enable-source-maps --test dist/test/notes.test.js'
      },
      // Commands of modelwire find the server here.
      modelwire: { server: 'dist/src/server.js' },
      dependencies: ranges([...dependencies, ...connector].toSorted(), project),
      devDependencies: ranges(devDependencies, project),
      ...nodeOverrides(process.versions.node)
    }),
    'tsconfig.json': json(tsconfig),
    'src/models.ts': models(database),
    'src/server.ts': server(database),
    'src/main.ts': main,
    'test/notes.test.ts': test,
    ...containerFiles({
      copy: 'COPY --from=build /app/dist ./dist',
      command: ['node', 'dist/src/main.js'],
      builds: true
    }),
    '.gitignore': 'node_modules/\ndist/\n',
    'README.md': readme(project)
  }
}
