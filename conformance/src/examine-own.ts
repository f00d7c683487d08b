import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createServer } from '@modelwire/boot'
import type { Examined } from './list-members.ts'

/** An application with one model, whose server script keeps the module `loopback` that it requires. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "commonjs" }',
  'server/config.json': '{ "restApiRoot": "/api" }',
  'server/datasources.json': '{ "db": { "connector": "memory" } }',
  'server/middleware.json': '{ "routes": { "loopback#rest": { "paths": ["${restApiRoot}"] } } }',
  'server/model-config.json': '{ "_meta": { "sources": ["./models"] }, "Thing": { "dataSource": "db" } }',
  'server/models/thing.json': '{ "name": "Thing", "properties": { "label": "string" } }',
  'server/server.js': `const loopback = require('loopback')
    const app = (module.exports = loopback())
    app.module = () => loopback
    require('loopback-boot')(app, __dirname)`
}

/** Starts an application of ours in an empty folder, and hands its objects to `look`. */
export async function examineOwn(dir: string, look: (own: Examined) => void | Promise<void>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const server = await createServer({ dir, env: 'development', variables: {}, logger: false })
  try {
    const app: object = server.loopback
    const module: unknown = Reflect.get(app, 'module')
    const loopback: unknown = typeof module === 'function' ? module() : undefined
    await look({ loopback: Object(loopback), app, model: 'Thing' })
  } finally {
    await server.close()
  }
}
