"""What each section of a JSON Resume (jsonresume.org, schema 1.0.0) is on this site, in both directions."""

from dataclasses import dataclass

from records.models import Kind


@dataclass(frozen=True, slots=True)
class Section:
    """Which record an item becomes, and the names under which the schema keeps what it says."""

    kind: Kind
    type: str
    side: str
    thing: str
    start: str
    end: str = ""
    highlights: bool = False

    @property
    def summary(self) -> str:
        return "description" if self.kind == Kind.CASE_STUDY else "summary"

    @property
    def side_field(self) -> str:
        return "client" if self.kind == Kind.CASE_STUDY else "organisation"


SECTIONS = {
    "work": Section(Kind.CV, "job", "name", "position", "startDate", "endDate", highlights=True),
    "volunteer": Section(Kind.CV, "volunteering", "organization", "position", "startDate", "endDate", highlights=True),
    "education": Section(Kind.CV, "education", "institution", "studyType", "startDate", "endDate"),
    "awards": Section(Kind.CV, "award", "awarder", "title", "date"),
    "certificates": Section(Kind.CV, "certificate", "issuer", "name", "date"),
    "publications": Section(Kind.ARTICLE, "", "publisher", "name", "releaseDate"),
    "projects": Section(Kind.CASE_STUDY, "", "entity", "name", "startDate", "endDate", highlights=True),
}
