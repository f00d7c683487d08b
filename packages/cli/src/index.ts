export { run } from './run.ts'
export { processTerminal, type Terminal } from './terminal.ts'
export { CommandError } from './errors.ts'
