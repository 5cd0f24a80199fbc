import {
  ListAutomationsDocument,
  PauseAutomationDocument,
  ResumeAutomationDocument,
} from '#generated/graphql';
import { GET, PATCH } from '../../table/row.ts';

export const automationsRoutes = [
  GET('/api/v2/automations', ListAutomationsDocument, { tool: { name: 'automations_list' } }),
  PATCH('/api/v2/automations/:id', PauseAutomationDocument, { when: { status: 'paused' } }),
  PATCH('/api/v2/automations/:id', PauseAutomationDocument, { when: { action: 'pause' } }),
  PATCH('/api/v2/automations/:id', ResumeAutomationDocument, { when: { status: 'active' } }),
  PATCH('/api/v2/automations/:id', ResumeAutomationDocument, { when: { action: 'resume' } }),
];
