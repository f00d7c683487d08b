import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { type Files, makeFolder, usualFiles } from '../../make-app.ts'

const run = promisify(execFile)

/** An application whose server, model and boot script are written in TypeScript. */
const files: Files = {
  ...usualFiles,
  'package.json': { name: 'app', version: '1.0.0' },
  'tsconfig.json': { compilerOptions: { module: 'commonjs', target: 'es2020', esModuleInterop: true, strict: true } },
  'server/server.ts': `
    declare const require: (name: string) => any
    const loopback = require('loopback')
    const boot = require('loopback-boot')
    const app: any = loopback()
    boot(app, __dirname, (error?: Error) => { if (error) throw error })
    declare const __dirname: string
    export = app`,
  'server/boot/own.ts': `
    interface Answer { json(value: unknown): void }
    enum Kind { Plain = 'plain' }
    export default (app: any): void => {
      app.get('/own', (_request: object, response: Answer) => response.json({ kind: Kind.Plain }))
    }`,
  'common/models/thing.ts': `
    export = function (Thing: any): void {
      Thing.hello = async (name: string): Promise<string> => 'hello ' + name
      Thing.remoteMethod('hello', {
        accepts: { arg: 'name', type: 'string' }, returns: { arg: 'text', type: 'string' }, http: { verb: 'get' }
      })
    }`
}

const compilers: Readonly<Record<string, readonly string[]>> = {
  'ts-node': ['ts-node@10', 'typescript@5'],
  tsx: ['tsx@4']
}

for (const [name, packages] of Object.entries(compilers))
  void t.test(`scripts in TypeScript run by the ${name} of the application`, async (t) => {
    const dir = await makeFolder(t, files)
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: dir })
    const code = `
      const { createServer } = await import(${JSON.stringify(join(import.meta.dirname, '../../../dist/index.js'))})
      const server = await createServer({ dir: ${JSON.stringify(dir)}, logger: false })
      const read = async url => (await server.inject(url)).json()
      console.log(JSON.stringify([await read('/own'), await read('/api/Things/hello?name=Ann')]))
      await server.close()`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: dir })
    t.strictSame(JSON.parse(stdout), [{ kind: 'plain' }, { text: 'hello Ann' }])
  })
