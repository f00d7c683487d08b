// `@modelwire/server/environment`: settings from environment variables; nothing else is loaded.
export { EnvironmentInvalid } from './errors.ts'
export { readEnvironment } from './read-environment.ts'
