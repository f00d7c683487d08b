import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { makeFolder, noteApp } from './make-folder.ts'

/** An application on SQLite, which finds its connector beside it. */
export function makeSqliteApp(t: Test, files: Readonly<Record<string, unknown>> = noteApp): string {
  const dir = makeFolder(t, files)
  const dataSources = { db: { connector: 'sqlite3', file: join(dir, 'notes.db') } }
  writeFileSync(join(dir, 'server/datasources.json'), JSON.stringify(dataSources))
  mkdirSync(join(dir, 'node_modules/@modelwire'), { recursive: true })
  const connector = dirname(fileURLToPath(import.meta.resolve('@modelwire/connector-sqlite/package.json')))
  symlinkSync(connector, join(dir, 'node_modules/@modelwire/connector-sqlite'))
  return dir
}
