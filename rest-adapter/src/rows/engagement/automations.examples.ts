import { automationId, type Example } from '../example.ts';

const automation = {
  id: automationId,
  name: 'Birthday points',
  trigger: { kind: 'birthday', daysBefore: 0, time: '09:00' },
  status: 'active',
  entered: 318,
  created_at: '2026-03-02T09:30:00.000Z',
};

export const automationsExamples: Readonly<Record<string, Example>> = {
  ListAutomations: { reply: { automations: [automation], total: 1 } },
  PauseAutomation: {
    body: { status: 'paused' },
    reply: { data: { ...automation, status: 'paused' } },
  },
  ResumeAutomation: { body: { status: 'active' }, reply: { data: automation } },
};
