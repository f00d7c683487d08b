/** The server of MODELWIRE_MYSQL_URL, else the one at 127.0.0.1:3306: MySQL or MariaDB. */
export function serverUrl(): string {
  return process.env['MODELWIRE_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/'
}
