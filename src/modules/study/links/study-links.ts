import type { FastifyInstance, FastifyRequest } from 'fastify';

interface StudyLink {
  href: string;
  label: string;
}

/** Returns links for a learner, with their counts. @param hasAccess whether the learner may study any prepa now */
type StudyLinkContributor = (request: FastifyRequest, hasAccess: boolean) => StudyLink[] | Promise<StudyLink[]>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds links to the learner's dashboard. They follow the links of earlier contributors. */
    contributeToStudyLinks(contributor: StudyLinkContributor): void;
    studyLinkContributors: readonly StudyLinkContributor[];
  }
}

/** Adds `contributeToStudyLinks`. Must be registered before the modules that contribute. */
export function decorateStudyLinks(app: FastifyInstance): void {
  const contributors: StudyLinkContributor[] = [];
  app.decorate('studyLinkContributors', contributors);
  app.decorate('contributeToStudyLinks', (contributor: StudyLinkContributor) => {
    contributors.push(contributor);
  });
}

/** Returns the links that modules contribute. A contributor that fails is logged and left out. */
export async function contributedLinks(request: FastifyRequest, hasAccess: boolean): Promise<StudyLink[]> {
  const read = async (contributor: StudyLinkContributor): Promise<StudyLink[]> => {
    try {
      return await contributor(request, hasAccess);
    } catch (error) {
      request.log.error({ err: error }, 'part of the dashboard failed');
      return [];
    }
  };
  return (await Promise.all(request.server.studyLinkContributors.map(read))).flat();
}
