// Runs in an empty project that has only the published form of these packages: imports them as a user would.
import * as memory from '@modelwire/connector-memory'
import * as core from '@modelwire/core'
import * as rest from '@modelwire/rest'

const names = Object.keys({ ...core, ...memory, ...rest })
console.log(`ok   packed packages load on Node ${process.version}, ${names.length} exports`)
