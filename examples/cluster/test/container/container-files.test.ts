import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SettingsSchema } from '#src/application/settings.ts'

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8')
const [dockerfile, compose] = [textOf('Dockerfile'), textOf('compose.yaml')]

t.test('the process of a container is Node, and not of root', async (t) => {
  const lines = dockerfile.split('\n')
  const user = lines.findIndex((line) => line === 'USER node')
  const command = lines.findIndex((line) => line.startsWith('CMD ["node", '))
  t.ok(user > 0 && command > user)
  const [, script = ''] = /^CMD \["node", "dist\/(.*)\.js"\]$/m.exec(dockerfile) ?? []
  t.ok(existsSync(pathOf(`src/${script}.ts`)), 'and it is there')
})

t.test('an unhealthy container is one that does not live, whatever its database does', async (t) => {
  t.match(dockerfile, /^HEALTHCHECK [^]*\/live`/m)
  t.notMatch(dockerfile, '/ready')
})

t.test('no secret stands in them', async (t) => {
  const secrets = [...compose.matchAll(/(?:PASSWORD|SECRET)\w*: (.*)$/gm)].map(([, value]) => value)
  t.ok(secrets.length > 0)
  for (const value of secrets) t.match(value, /^\$\{\w+:\?set \w+\}$/)
  t.match(textOf('Dockerfile.dockerignore'), '**/.env*')
})

t.test('what a container is told are settings of the application', async (t) => {
  const [, block = ''] = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose) ?? []
  const names = [...block.matchAll(/^ {4}(\w+):/gm)].map(([, name = '']) => name)
  t.ok(names.length > 0)
  for (const name of names) t.ok(Object.hasOwn(SettingsSchema.properties, name), name)
})

const skip = spawnSync('bash', ['--version']).status !== 0 && 'needs bash'

t.test('bash understands the scripts', { skip }, async (t) => {
  for (const name of ['container/allow-replication.sh', 'container/copy-primary.sh'])
    t.equal(spawnSync('bash', ['-n', pathOf(name)]).status, 0, name)
})
