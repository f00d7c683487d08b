import { isMemory, type NewDatabase, packageOf } from './databases.ts'
import { databaseUse, json, type NewProject, type ProjectFiles, ranges, usage } from './new-project.ts'

const install = `COPY package.json package-lock.json ./
RUN npm ci`

const build = `FROM node:24-bookworm-slim AS build
WORKDIR /app
${install}
COPY . .
RUN npm run build

`

/** The contents of a project's container image. */
interface ImageContent {
  /** What is copied into it in addition to packages. */
  readonly copy: string
  /** The command that it runs, without a shell, so that the process receives signals. */
  readonly command: readonly string[]
  readonly builds: boolean
}

/** The files for building a container of the project, and for excluding files from it. */
export const containerFiles = ({ copy, command, builds }: ImageContent): ProjectFiles => ({
  Dockerfile: `# syntax=docker/dockerfile:1
${builds ? build : ''}FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
${install} --omit=dev && npm cache clean --force
${copy}
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \\
  CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}/live\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD [${command.map((part) => JSON.stringify(part)).join(', ')}]
`,
  '.dockerignore': 'node_modules\ndist\n.env*\n.git\n'
})

const dependencies = ['@modelwire/boot', 'modelwire']

const everyRule = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const ownerRule = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: '$owner' }

const note = {
  name: 'Note',
  base: 'PersistedModel',
  strict: 'validate',
  properties: {
    text: { type: 'string', required: true },
    done: { type: 'boolean', default: false, index: true },
    created: { type: 'date', defaultFn: 'now', readOnly: true },
    accountId: { type: 'number', index: true, fromCaller: 'userId' }
  },
  relations: { account: { type: 'belongsTo', model: 'Account', onDelete: 'cascade' } },
  acls: [everyRule, ownerRule],
  methods: {
    'prototype.finish': {
      description: 'Mark a note as done',
      returns: { arg: 'done', type: 'boolean' },
      http: { verb: 'post', path: '/finish' }
    }
  }
}

const account = {
  name: 'Account',
  base: 'User',
  strict: 'validate',
  // A password is changed with the old one, or with the token of a reset, alone.
  restrictResetPasswordTokenScope: true,
  rejectPasswordChangesViaPatchOrReplace: true,
  properties: { name: { type: 'string' } },
  relations: {},
  acls: [],
  methods: {}
}

const authentication = `'use strict'

module.exports = function (server) {
  // Reads the tokens of requests, and enforces the access rules of the models.
  server.enableAuth()
}
`

const script = `'use strict'

module.exports = function (Note) {
  Note.validatesLengthOf('text', { max: 500 })

  // Declared in note.json: POST /api/Notes/:id/finish
  Note.prototype.finish = async function () {
    await this.updateAttributes({ done: true })
    return true
  }
}
`

const test = `import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'

const dir = fileURLToPath(new URL('..', import.meta.url))

/** Signs up, logs in, and gives the headers of a request. */
async function logIn(app, email) {
  const payload = { email, password: 'correct horse battery' }
  await app.inject({ method: 'POST', url: '/api/Accounts', payload })
  const answer = await app.inject({ method: 'POST', url: '/api/Accounts/login', payload })
  assert.equal(answer.statusCode, 200)
  return { authorization: \`Bearer \${answer.json().id}\` }
}

test('a note is stored, found and finished by its owner', async () => {
  const app = await createServer({ dir })
  const headers = await logIn(app, 'ann@example.org')
  const created = await app.inject({ method: 'POST', url: '/api/Notes', headers, payload: { text: 'Buy milk' } })
  assert.equal(created.statusCode, 201)
  const { id } = created.json()

  const finished = await app.inject({ method: 'POST', url: \`/api/Notes/\${id}/finish\`, headers })
  assert.deepEqual(finished.json(), { done: true })

  const found = await app.inject({ url: '/api/Notes?filter[where][done]=true', headers })
  assert.deepEqual(found.json().map(({ text }) => text), ['Buy milk'])

  const others = await app.inject({ url: \`/api/Notes/\${id}\`, headers: await logIn(app, 'bob@example.org') })
  assert.equal(others.statusCode, 403)
  await app.close()
})

test('a note without a text is refused, and so is a caller without a login', async () => {
  const app = await createServer({ dir })
  const headers = await logIn(app, 'ann@example.org')
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', headers, payload: { text: '' } })
  assert.equal(answer.statusCode, 422)
  assert.equal((await app.inject('/api/Notes')).statusCode, 401)
  await app.close()
})
`

const config = {
  restApiRoot: '/api',
  host: '127.0.0.1',
  port: 3000,
  strictAccess: true,
  // A known caller who may not: browsers take a 401 for a login that ended.
  aclErrorStatus: 403,
  remoting: {
    rest: { jsonp: false, createdStatus: 201, handling: 'strict', lists: { limit: 100, maxLimit: 1000 } },
    sharedMethods: { updateAll: false }
  }
}

const middleware = {
  initial: { cors: { params: { origin: false, maxAge: 86400 } }, helmet: {} },
  // Clients send the id of a token as it is, behind Bearer as well.
  auth: { 'loopback#token': { params: { bearerTokenBase64Encoded: false } } },
  routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
  final: { 'loopback#urlNotFound': {} },
  'final:after': { 'strong-error-handler': {} }
}

const modelConfig = {
  _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
  AccessToken: {
    dataSource: 'db',
    public: false,
    relations: { user: { type: 'belongsTo', model: 'Account', foreignKey: 'userId' } }
  },
  Account: { dataSource: 'db', public: true },
  Note: { dataSource: 'db', public: true }
}

const readme = (project: NewProject): string => `# ${project.name}

A REST API made with Modelwire: models in the JSON files of LoopBack 3, served by Fastify.

\`\`\`sh
npm install
npm start      # http://localhost:3000/explorer shows the API; PORT and HOST say where it listens
npm test
npx modelwire routes .
\`\`\`
${databaseUse(project, '\nexport NODE_ENV=production   # whose server/datasources.production.json names the database')}
${usage}
| file                             | holds                                                        |
| -------------------------------- | ------------------------------------------------------------ |
| \`common/models/note.json\`        | a model: properties, relations, access rules, methods        |
| \`common/models/account.json\`    | people who sign up and log in                                |
| \`server/boot/authentication.js\` | turns access control on                                      |
| \`common/models/note.js\`          | its rules, hooks and functions                               |
| \`server/model-config.json\`       | which models there are, and which of them are public: stored roles need \`Role\` and \`RoleMapping\` |
| \`server/config.json\`            | address, limits, statuses; access control without LoopBack's exceptions |
| \`server/datasources.json\`        | where records are stored: in memory, until you name a database |
| \`server/middleware.json\`         | CORS (no other origin until you name one), headers, the path of the API |
| \`server/component-config.json\`   | the page at /explorer, which production does not have; /live and /ready for what watches the server |
| \`test/notes.test.mjs\`            | asks the server without a port                               |
| \`Dockerfile\`                     | a container of the project                                   |
`

/** What `server/` holds. */
function serverFiles(database: NewDatabase): ProjectFiles {
  const { name: connector, setting, settings } = database
  return {
    'server/boot/authentication.js': authentication,
    'server/config.json': json(config),
    'server/datasources.json': json({ db: { connector: 'memory' } }),
    ...(!isMemory(database) && {
      'server/datasources.production.json': json({ db: { connector, [setting]: '${DATABASE_URL}', ...settings } })
    }),
    'server/model-config.json': json(modelConfig),
    'server/middleware.json': json(middleware),
    'server/component-config.json': json({
      'loopback-component-explorer': { mountPath: '/explorer' },
      '@modelwire/ops': true
    }),
    'server/component-config.production.json': json({ 'loopback-component-explorer': null })
  }
}

/** The files of a project with the folders and files of LoopBack 3. */
export function jsonFiles(project: NewProject): ProjectFiles {
  const { database } = project
  return {
    'package.json': json({
      name: project.name,
      version: '0.1.0',
      private: true,
      engines: { node: '>=20.19' },
      scripts: {
        start: 'modelwire serve .',
        check: 'modelwire check .',
        test: 'node --test test/notes.test.mjs'
      },
      dependencies: ranges([...dependencies, ...(isMemory(database) ? [] : [packageOf(database)])].toSorted(), project),
      ...nodeOverrides(process.versions.node)
    }),
    'common/models/account.json': json(account),
    'common/models/note.json': json(note),
    'common/models/note.js': script,
    ...serverFiles(database),
    'test/notes.test.mjs': test,
    ...containerFiles({
      copy: 'COPY server ./server\nCOPY common ./common',
      command: ['node', 'node_modules/modelwire/dist/main.js', 'serve', '.'],
      builds: false
    }),
    '.gitignore': 'node_modules/\n',
    'README.md': readme(project)
  }
}

/**
 * What package.json adds if the project is created with Node 20: the newest versions of some transitive dependencies
 * require Node 22, and npm warns. These versions contain the same code.
 * @param node a version of Node, as `process.versions.node` has it
 */
export function nodeOverrides(node: string): { overrides?: object } {
  if (Number.parseInt(node, 10) >= 22) return {}
  const cookie = { cookie: '^1.1.1' }
  return {
    overrides: {
      '@fastify/cookie': cookie,
      '@fastify/static': { 'content-disposition': '^2.0.1' },
      'light-my-request': cookie
    }
  }
}
