/** Redis keeps counters that are gone after a while, and messages: it needs no file. */
export const redisArguments = (port: number): readonly string[] =>
  [
    ['--bind', '127.0.0.1'],
    ['--port', String(port)],
    ['--save', ''],
    ['--appendonly', 'no'],
    ['--maxmemory', '128mb'],
    // Counters must not go before their time: writes fail instead, and each process counts by itself.
    ['--maxmemory-policy', 'noeviction']
  ].flat()
