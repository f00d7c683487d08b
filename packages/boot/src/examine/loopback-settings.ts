const ofAll = [
  'adapter',
  'allowExtendedOperators',
  'connectionTimeout',
  'connector',
  'defaultIdSort',
  'description',
  'localStorage',
  'maxDepthOfData',
  'maxDepthOfQuery',
  'name',
  'normalizeUndefinedInQuery',
  'prohibitHiddenPropertiesInQuery',
  'strictFilter'
]

const ofDrivers: Readonly<Record<string, readonly string[]>> = {
  mongodb: [
    'acceptableLatencyMS',
    'autoReconnect',
    'auto_reconnect',
    'bufferMaxEntries',
    'connectWithNoPrimary',
    'disableSanitization',
    'domainsEnabled',
    'enableOptimisedFindOrCreate',
    'enableOptimisedfindOrCreate',
    'enableOptimizedFindOrCreate',
    'enableOptimizedfindOrCreate',
    'fsync',
    'ha',
    'haInterval',
    'ignoreUndefined',
    'implicitNullType',
    'keepAlive',
    'keepAliveInitialDelay',
    'logger',
    'loggerLevel',
    'maxStalenessSeconds',
    'native_parser',
    'numberOfRetries',
    'promiseLibrary',
    'promoteBuffers',
    'promoteLongs',
    'promoteValues',
    'raw',
    'reconnectInterval',
    'reconnectTries',
    'safe',
    'secondaryAcceptableLatencyMS',
    'serializeFunctions',
    'useNewUrlParser',
    'useUnifiedTopology',
    'validateOptions'
  ],
  postgresql: [
    'application_name',
    'binary',
    'client_encoding',
    'connectionString',
    'connectionTimeoutMillis',
    'keepAlive',
    'poolSize',
    'protocol',
    'query_timeout',
    'statement_timeout'
  ],
  mysql: [
    'acquireTimeout',
    'bigNumberStrings',
    'collation',
    'createDatabase',
    'dateStrings',
    'enableKeepAlive',
    'flags',
    'insecureAuth',
    'localAddress',
    'multipleStatements',
    'protocol',
    'queryFormat',
    'queueLimit',
    'stringifyObjects',
    'supportBigNumbers',
    'trace',
    'typeCast',
    'waitForConnections'
  ],
  sqlite: ['file_name', 'mode', 'verbose']
}

/** Settings that LoopBack's connector of this name takes, or every one of them, and that have no effect here. */
export function isLoopbackSetting(connector: string, setting: string): boolean {
  return ofAll.includes(setting) || ofDrivers[connector]?.includes(setting) === true
}
