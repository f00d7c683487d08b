import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A PostgreSQL database for one server of the benchmark. */
export interface BenchDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** Creates an empty database on the server of MODELWIRE_POSTGRESQL_URL, or on the one of this machine. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const server = process.env['MODELWIRE_POSTGRESQL_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const name = `modelwire_bench_${randomBytes(6).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(server, `drop database if exists ${name} with (force)`) }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
