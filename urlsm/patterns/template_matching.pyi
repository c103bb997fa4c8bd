from typing import final

@final
class Section: ...

@final
class Wanted: ...

@final
class Plan: ...
