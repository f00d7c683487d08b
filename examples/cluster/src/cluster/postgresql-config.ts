/** What a server of the cluster is started with. */
export interface DatabaseConfig {
  readonly port: number
  /** Folder of its socket: none other may use it. */
  readonly socketFolder: string
}

/** What is added to postgresql.conf: a server that others copy, and that can copy others. */
export function postgresqlConfig({ port, socketFolder }: DatabaseConfig): string {
  return `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${socketFolder}'
max_connections = 120
shared_buffers = 128MB
wal_level = replica
hot_standby = on
max_wal_senders = 6
wal_keep_size = 256MB
# A standby that lags does not end the queries of its readers.
max_standby_streaming_delay = 30s
log_min_messages = warning
`
}

/** Who may connect, from this machine alone. Without passwords: the folder and the ports are those of an example. */
export const hostRules = `local all all trust
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`

/** What has a server copy another one. */
export const standbyConfig = (primary: number, name: string): string =>
  `primary_conninfo = 'host=127.0.0.1 port=${primary} user=postgres application_name=${name}'\n`

/**
 * Has commits wait for the standby, so that none that was acknowledged is lost when it is promoted; without one that copies, the
 * primary goes on alone.
 */
export const synchronousStandby = (name: string | undefined): string =>
  `alter system set synchronous_standby_names = '${name === undefined ? '' : `"${name}"`}'`
