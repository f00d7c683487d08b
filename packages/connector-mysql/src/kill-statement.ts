import mysql from 'mysql2'

/** A statement that a connection is busy with. */
export interface BusyStatement {
  readonly thread: number
  /** As it was sent. */
  readonly text: string
}

/**
 * Has the server stop a statement, over a connection of its own: when the connection of the statement ends, the server
 * only notices it when there is something to send. Behind a proxy the connection may lead to another server, whose
 * thread of the same number does something else: that one is left alone. It does not report whether it worked;
 * otherwise the statement ends by itself.
 */
export function killStatement(options: mysql.ConnectionOptions, { thread, text }: BusyStatement): void {
  const connection = mysql.createConnection(options)
  // A server that cannot be reached has other worries.
  connection.on('error', () => {})
  const end = (): void => connection.destroy()
  const isIt = 'select id from information_schema.processlist where id = ? and info = ?'
  connection.query<mysql.RowDataPacket[]>(isIt, [thread, text], (error, rows) => {
    if (error !== null || rows.length === 0) end()
    else connection.query('kill ?', [thread], end)
  })
}
