import { runOn } from './run-on.ts'
import { serverUrl } from './server-url.ts'

/** Why tests that need a server cannot run here; false where they can, and where MODELWIRE_MYSQL_URL is set. */
export async function whyNoServer(): Promise<string | false> {
  if (process.env['MODELWIRE_MYSQL_URL'] !== undefined) return false
  try {
    await runOn(serverUrl(), 'select 1')
    return false
  } catch {
    return 'needs MySQL or MariaDB: at 127.0.0.1:3306, or at MODELWIRE_MYSQL_URL'
  }
}
