/** Every module there is, by its stable key. What is not listed cannot be switched on. */
export const moduleCatalog = {
  ambassador: 'Ambassador program',
  receipts: 'Receipt upload and recognition',
  location: 'Location and geofences',
  web_push: 'Web push',
  custom_objects: 'Custom objects',
  tracking: 'Tracking and metrics',
  transactional: 'Transactional messages',
  agents: 'AI agents',
  model: 'Consumer state model',
} as const satisfies Record<string, string>;

export type ModuleKey = keyof typeof moduleCatalog;

export const isModuleKey = (key: string): key is ModuleKey => Object.hasOwn(moduleCatalog, key);
