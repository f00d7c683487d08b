// Empty databases for an exchange with LoopBack: `openDatabase(kind)` gives settings for both sides.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as mysql from '@modelwire/connector-tests/mysql'
import * as postgresql from '@modelwire/connector-tests/postgresql'

const openers = {
  async postgresql() {
    const { url, drop } = await postgresql.createTestDatabase()
    return {
      settings: { connector: 'postgresql', url, max: 3 },
      dump: () => execFileSync('pg_dump', ['--no-owner', '--inserts', url], { encoding: 'utf8' }),
      load: (sql) => postgresql.runOn(url, sql.replaceAll(/^\\.*$/gm, '')),
      drop
    }
  },
  async mysql() {
    const { url, drop } = await mysql.createTestDatabase()
    const { hostname, port, username, password, pathname } = new URL(url)
    const database = pathname.slice(1)
    const settings = { connector: 'mysql', host: hostname, port: Number(port || 3306), user: username, database }
    const login = ['-h', hostname, '-P', String(settings.port), '-u', username, ...(password ? [`-p${password}`] : [])]
    return {
      settings: { ...settings, ...(password && { password }), connectionLimit: 3 },
      dump: () =>
        execFileSync('mysqldump', [...login, '--skip-dump-date', '--hex-blob', database], { encoding: 'utf8' }),
      load: (sql) => mysql.runOn(url, sql),
      drop
    }
  },
  async sqlite3() {
    const folder = mkdtempSync(join(tmpdir(), 'modelwire-exchange-'))
    const file = join(folder, 'test.db')
    const { default: LibSql } = await import('libsql')
    return {
      settings: { connector: 'sqlite3', file },
      lastToken: () => readToken(LibSql, file),
      dump: () => dumpSqlite(LibSql, file),
      load: async (sql) => new LibSql(file).exec(sql),
      drop: async () => rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** An empty database: `settings` of its data source, `dump` and `load` of its content as SQL, `drop`. */
export async function openDatabase(kind) {
  return openers[kind]()
}

function readToken(LibSql, file) {
  const database = new LibSql(file)
  const { id } = database.prepare('select id from accesstoken order by created desc').get()
  database.close()
  return id
}

function dumpSqlite(LibSql, file) {
  const database = new LibSql(file)
  // Without indexes: LoopBack makes one of a column that does not exist, which SQLite can be built to refuse.
  const tables = database.prepare(
    "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'"
  )
  const lines = []
  for (const { name, sql } of tables.all()) {
    lines.push(`${sql};`)
    for (const row of database.prepare(`select * from "${name}"`).all()) {
      const columns = Object.keys(row).map((key) => `"${key}"`)
      lines.push(
        `INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`
      )
    }
  }
  database.close()
  return `${lines.join('\n')}\n`
}

function literal(value) {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
