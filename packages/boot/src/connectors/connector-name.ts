const dialects: Readonly<Record<string, string>> = {
  postgres: 'postgresql',
  sqlite3: 'sqlite',
  sqlite: 'sqlite',
  mariadb: 'mysql'
}

/** `loopback-connector-mysql` and `mysql` name the same connector, in any case. */
export function connectorName(written: string): string {
  const name = written.replace(/^(?:@\w+\/)?loopback-connector-/, '').toLowerCase()
  return dialects[name] ?? name
}
