const emitter =
  'addListener emit eventNames getMaxListeners listenerCount listeners off on once prependListener prependOnceListener rawListeners removeAllListeners removeListener setMaxListeners'.split(
    ' '
  )

/** Members of LoopBack's objects that no application uses: the inner parts of the libraries that these objects are made of. */
const names: Readonly<Record<string, readonly string[]>> = {
  // Accessors of properties: records hold their values themselves.
  'Model.prototype': ['id', 'label'],
  'Model.definition': emitter,
  'Model.modelBuilder': emitter,
  'Model.sharedClass': ['getKeyFromMethodNameAndTarget'],
  DataSource: ['DataAccessObject', 'juggler', 'pendingConnectCallbacks'],
  // The inner parts of an application of Express.
  app: ['cache', 'defaultConfiguration', 'engines', 'init', 'lazyrouter', 'query', 'router'],
  // What an emitter of the package eventemitter2 has besides those of Node.
  remotes:
    'delimiter emitAsync event listenerTree listenersAny many offAny onAny prependAny prependMany verboseMemoryLeak wildcard'.split(
      ' '
    )
}

/** True for a member that is not compared. */
export function leftOut(object: string, name: string): boolean {
  return names[object]?.includes(name) === true
}
