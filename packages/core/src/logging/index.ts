export { mask, maskFields, maskSecrets } from './mask-secrets.ts'
export { protectLog } from './protect-log.ts'
