// Empty databases for an exchange with LoopBack: `openDatabase(kind, name)` gives settings for both sides.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { Client } from 'pg'

const { MODELWIRE_POSTGRESQL_URL, MODELWIRE_MYSQL_URL } = process.env
const postgresqlUrl = MODELWIRE_POSTGRESQL_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const mysqlUrl = MODELWIRE_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/'
const at = (url, name) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** Runs statements on the PostgreSQL database at `url`. */
export async function onPostgresql(statement, url = postgresqlUrl) {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Runs statements on the MySQL database at `url`. */
export async function onMysql(statement, url = mysqlUrl) {
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true })
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}

const openers = {
  async postgresql(name) {
    await onPostgresql(`create database ${name}`)
    const url = at(postgresqlUrl, name)
    return {
      settings: { connector: 'postgresql', url, max: 3 },
      dump: () => execFileSync('pg_dump', ['--no-owner', '--inserts', url], { encoding: 'utf8' }),
      load: (sql) => onPostgresql(sql.replaceAll(/^\\.*$/gm, ''), url),
      drop: () => onPostgresql(`drop database if exists ${name} with (force)`)
    }
  },
  async mysql(name) {
    await onMysql(`create database ${name}`)
    const { hostname, port, username, password } = new URL(mysqlUrl)
    const settings = { connector: 'mysql', host: hostname, port: Number(port || 3306), user: username, database: name }
    const login = ['-h', hostname, '-P', String(settings.port), '-u', username, ...(password ? [`-p${password}`] : [])]
    return {
      settings: { ...settings, ...(password && { password }), connectionLimit: 3 },
      dump: () => execFileSync('mysqldump', [...login, '--skip-dump-date', '--hex-blob', name], { encoding: 'utf8' }),
      load: (sql) => onMysql(sql, at(mysqlUrl, name)),
      drop: () => onMysql(`drop database if exists ${name}`)
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
export async function openDatabase(kind, name) {
  return openers[kind](name)
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
